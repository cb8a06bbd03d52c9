package dev.postern.operator.pki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class KeyAlgorithmTest {
  @ParameterizedTest
  @CsvSource({
    ", , ECDSA_P256",
    "'', 0, ECDSA_P256",
    "ECDSA, , ECDSA_P256",
    "ECDSA, 384, ECDSA_P384",
    "RSA, , RSA_2048",
    "RSA, 4096, RSA_4096",
    "Ed25519, , ED25519",
    "Ed25519, 256, ED25519",
  })
  void shouldFindTheAlgorithmThatASpecNames(String name, Integer size, KeyAlgorithm expected) {
    assertThat(KeyAlgorithm.of(name, size)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"ECDSA, 521", "RSA, 1024", "DSA, 2048", "ecdsa, 256"})
  void shouldSayWhatIsPossibleWhenASpecNamesAnother(String name, Integer size) {
    assertThatThrownBy(() -> KeyAlgorithm.of(name, size))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("use ECDSA 256 or 384");
  }

  @ParameterizedTest
  @EnumSource
  void shouldRecogniseItsOwnKeys(KeyAlgorithm algorithm) {
    assertThat(KeyAlgorithm.of(algorithm.generate().getPublic())).contains(algorithm);
  }

  @Test
  void shouldRefuseTheUsagesOfACa() {
    assertThatThrownBy(() -> Usage.parse(List.of("cert sign")))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("\"cert sign\" is not possible");
  }

  @Test
  void shouldAllowBothSidesWhenNoUsageIsSaid() {
    assertThat(Usage.parse(null))
        .containsExactlyInAnyOrder(Usage.DIGITAL_SIGNATURE, Usage.SERVER_AUTH, Usage.CLIENT_AUTH);
  }
}
