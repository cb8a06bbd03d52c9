package dev.postern.operator.main;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;

/** The SDK's timers have hundreds of buckets for each controller: count, sum and maximum do. */
final class PlainTimers implements MeterFilter {

  @Override
  public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
    return id.getName().startsWith("operator.sdk")
        ? DistributionStatisticConfig.builder().percentilesHistogram(false).build().merge(config)
        : config;
  }
}
