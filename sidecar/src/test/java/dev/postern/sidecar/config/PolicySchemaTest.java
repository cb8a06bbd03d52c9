package dev.postern.sidecar.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.filter.FilteringParserDelegate;
import com.fasterxml.jackson.core.filter.JsonPointerBasedFilter;
import com.fasterxml.jackson.core.filter.TokenFilter.Inclusion;
import dev.postern.sidecar.tls.ClientCertificate;
import dev.postern.sidecar.tls.TlsVersion;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The sidecar knows every value that the operator may write, and no other. */
class PolicySchemaTest {

  private static final Path SCHEMA =
      Path.of("..", "crds/src/main/resources/dev/postern/crds/policy-v1.schema.json");

  @ParameterizedTest
  @MethodSource("closedSets")
  void shouldKnowWhatTheSchemaAllows(String field, List<String> names) throws IOException {
    assertThat(allowed("/properties/" + field + "/enum")).containsExactlyElementsOf(names);
  }

  static Stream<Arguments> closedSets() {
    return Stream.of(
        closedSet("mode", Mode.values(), Mode::policyName),
        closedSet("minVersion", TlsVersion.values(), TlsVersion::policyName),
        closedSet("clientCertificate", ClientCertificate.values(), ClientCertificate::policyName),
        closedSet("records", RecordsPolicy.values(), RecordsPolicy::policyName),
        closedSet("io", IoPolicy.values(), IoPolicy::policyName),
        closedSet("cipherSuites/items", CipherSuite.values(), CipherSuite::policyName),
        closedSet("groups/items", Group.values(), Group::policyName),
        closedSet("resumption", Resumption.values(), Resumption::policyName),
        closedSet("proxyProtocol", ProxyProtocol.values(), ProxyProtocol::policyName));
  }

  private static <E> Arguments closedSet(String field, E[] values, Function<E, String> name) {
    return Arguments.of(field, Arrays.stream(values).map(name).toList());
  }

  private static List<String> allowed(String pointer) throws IOException {
    List<String> texts = new ArrayList<>();
    try (JsonParser whole = new JsonFactory().createParser(SCHEMA.toFile());
        JsonParser part =
            new FilteringParserDelegate(
                whole, new JsonPointerBasedFilter(pointer), Inclusion.ONLY_INCLUDE_ALL, false)) {
      for (JsonToken token = part.nextToken(); token != null; token = part.nextToken()) {
        if (token == JsonToken.VALUE_STRING) {
          texts.add(part.getText());
        }
      }
    }
    return texts;
  }
}
