package dev.postern.operator.options;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import net.logstash.logback.encoder.LogstashEncoder;
import org.slf4j.LoggerFactory;

/** Values of --log-format; set up in code, since a file would be read before the options. */
enum LogFormat {
  text {
    @Override
    Encoder<ILoggingEvent> encoder() {
      PatternLayoutEncoder encoder = new PatternLayoutEncoder();
      encoder.setPattern("%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX, UTC} %-5level %logger{0} %msg%n");
      return encoder;
    }
  },
  json {
    @Override
    Encoder<ILoggingEvent> encoder() {
      return new LogstashEncoder();
    }
  };

  abstract Encoder<ILoggingEvent> encoder();

  /** Replaces what is set up; libraries speak from warn on, unless debug is asked for. */
  void apply(LogLevel level) {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.reset();
    Encoder<ILoggingEvent> encoder = encoder();
    encoder.setContext(context);
    encoder.start();
    ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
    console.setContext(context);
    console.setEncoder(encoder);
    console.start();
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.addAppender(console);
    root.setLevel(level == LogLevel.debug ? Level.INFO : Level.WARN);
    // It warns once for each of our kinds that v1alpha1 is not stable, which we know.
    context
        .getLogger("io.fabric8.kubernetes.client.dsl.internal.VersionUsageUtils")
        .setLevel(Level.ERROR);
    context.getLogger("dev.postern").setLevel(level.logback());
  }
}
