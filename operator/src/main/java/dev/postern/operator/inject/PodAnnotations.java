package dev.postern.operator.inject;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.crds.Api;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * What the user asks of one pod, every value checked: nothing else of an annotation reaches the
 * injected containers.
 */
final class PodAnnotations {

  private static final int MAX_VALUE = 512;
  private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");
  private static final Pattern PORTS = Pattern.compile("[0-9]{1,5}(,[0-9]{1,5}){0,63}");
  private static final Pattern CPU = Pattern.compile("[0-9]{1,5}m|[0-9]{1,2}(\\.[0-9]{1,3})?");
  private static final Pattern MEMORY = Pattern.compile("[0-9]{1,11}(Ki|Mi|Gi|k|M|G)?");
  private static final Set<String> LOG_LEVELS = Set.of("error", "warn", "info", "debug");

  private final Map<AnnotationKey, String> values;

  private PodAnnotations(Map<AnnotationKey, String> values) {
    this.values = values;
  }

  /**
   * @throws Refusal when a key with our prefix is unknown or a value is not allowed
   */
  static PodAnnotations of(JsonNode pod) {
    Map<AnnotationKey, String> values = new EnumMap<>(AnnotationKey.class);
    for (Map.Entry<String, JsonNode> entry : pod.at("/metadata/annotations").properties()) {
      if (isOurs(entry.getKey()) && !entry.getKey().equals(Api.STATUS)) {
        AnnotationKey key =
            AnnotationKey.of(entry.getKey()).orElseThrow(() -> unknown(entry.getKey()));
        values.put(key, checked(key, entry.getValue().asText()));
      }
    }
    refuseUnknownLabels(pod);
    return new PodAnnotations(values);
  }

  Optional<Boolean> inject() {
    return value(AnnotationKey.INJECT).map(Boolean::valueOf);
  }

  Optional<String> policy() {
    return value(AnnotationKey.POLICY);
  }

  Optional<String> certificate() {
    return value(AnnotationKey.CERTIFICATE);
  }

  /** The ports that the user named, in ascending order. */
  Optional<SortedSet<Integer>> ports() {
    return value(AnnotationKey.PORTS).map(PodAnnotations::parsePorts);
  }

  Optional<String> cpu() {
    return value(AnnotationKey.CPU);
  }

  Optional<String> memory() {
    return value(AnnotationKey.MEMORY);
  }

  String logLevel() {
    return value(AnnotationKey.LOG_LEVEL).orElse("info");
  }

  private Optional<String> value(AnnotationKey key) {
    return Optional.ofNullable(values.get(key));
  }

  private static boolean isOurs(String key) {
    return key.startsWith(AnnotationKey.PREFIX);
  }

  private static Refusal unknown(String key) {
    return Refusal.invalid(
        "annotation "
            + Refusal.quote(key)
            + " is unknown; the nearest known one is "
            + AnnotationKey.nearest(key).key());
  }

  private static void refuseUnknownLabels(JsonNode pod) {
    for (Map.Entry<String, JsonNode> entry : pod.at("/metadata/labels").properties()) {
      String key = entry.getKey();
      if (isOurs(key) && !key.equals(Api.WORKLOAD_LABEL)) {
        throw Refusal.invalid(
            "label "
                + Refusal.quote(key)
                + " has no meaning on a pod; write it as an annotation: "
                + AnnotationKey.nearest(key).key());
      }
    }
  }

  private static String checked(AnnotationKey key, String value) {
    if (value.length() > MAX_VALUE || !isAllowed(key, value)) {
      throw key.refuse(value);
    }
    return value;
  }

  private static boolean isAllowed(AnnotationKey key, String value) {
    return switch (key) {
      case INJECT -> value.equals("true") || value.equals("false");
      case POLICY, CERTIFICATE -> NAME.matcher(value).matches();
      case PORTS -> PORTS.matcher(value).matches() && arePorts(parsePorts(value));
      case CAPTURE -> value.equals("redirect");
      case CPU -> CPU.matcher(value).matches() && isBetween("1m", value, "64");
      case MEMORY -> MEMORY.matcher(value).matches() && isBetween("32Mi", value, "64Gi");
      case LOG_LEVEL -> LOG_LEVELS.contains(value);
    };
  }

  private static boolean isBetween(String least, String value, String most) {
    return Quantity.compare(least, value) <= 0 && Quantity.compare(value, most) <= 0;
  }

  private static SortedSet<Integer> parsePorts(String value) {
    SortedSet<Integer> ports = new TreeSet<>();
    for (String port : value.split(",", -1)) {
      ports.add(Integer.valueOf(port));
    }
    return Collections.unmodifiableSortedSet(ports);
  }

  private static boolean arePorts(SortedSet<Integer> ports) {
    return ports.first() >= 1 && ports.last() <= 65535;
  }
}
