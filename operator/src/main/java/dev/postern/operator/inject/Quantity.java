package dev.postern.operator.inject;

import java.math.BigDecimal;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Amounts of CPU and memory as Kubernetes writes them; the API server may write the same amount
 * otherwise (1024Mi becomes 1Gi), so they are compared by value.
 *
 * <p>Source: k8s.io/apimachinery/pkg/api/resource/quantity.go, without exponents, which nobody
 * writes by hand.
 */
final class Quantity {

  private static final Pattern FORM =
      Pattern.compile("([0-9]{1,18}(?:\\.[0-9]{1,9})?)(m|k|M|G|T|Ki|Mi|Gi|Ti)?");
  private static final BigDecimal KIBI = BigDecimal.valueOf(1024);
  private static final Map<String, BigDecimal> SCALES =
      Map.of(
          "m", new BigDecimal("0.001"),
          "k", new BigDecimal("1e3"),
          "M", new BigDecimal("1e6"),
          "G", new BigDecimal("1e9"),
          "T", new BigDecimal("1e12"),
          "Ki", KIBI,
          "Mi", KIBI.pow(2),
          "Gi", KIBI.pow(3),
          "Ti", KIBI.pow(4));

  private Quantity() {}

  static boolean isValid(String text) {
    return FORM.matcher(text).matches();
  }

  /** Both texts must be valid. */
  static int compare(String a, String b) {
    return value(a).compareTo(value(b));
  }

  /** Equal in value, or, where one of them is no quantity that we know, in text. */
  static boolean same(String a, String b) {
    return a.equals(b) || (isValid(a) && isValid(b) && compare(a, b) == 0);
  }

  private static BigDecimal value(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("not a quantity: " + text);
    }
    BigDecimal number = new BigDecimal(matcher.group(1));
    String suffix = matcher.group(2);
    return suffix == null ? number : number.multiply(SCALES.get(suffix));
  }
}
