package dev.postern.operator.certificate;

import dev.postern.crds.Certificate;
import dev.postern.crds.CertificateSpec;
import dev.postern.operator.pki.NamePolicy;
import dev.postern.operator.pki.Requester;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Asks the API server which of the service accounts and Services whose names a Certificate wants
 * exist in its namespace. Fresh answers: no cache may grant the name of what is gone.
 */
record NameLookup(KubernetesClient client, String trustDomain) {

  private static final int MOST_QUESTIONS = 100; // more names are refused anyway

  Requester requester(Certificate certificate) {
    String namespace = certificate.getMetadata().getNamespace();
    CertificateSpec spec = certificate.getSpec();
    return new Requester(
        namespace,
        existing(accounts(namespace, spec), name -> accountExists(namespace, name)),
        existing(services(spec), name -> serviceExists(namespace, name)));
  }

  private Stream<String> accounts(String namespace, CertificateSpec spec) {
    String prefix = NamePolicy.identity(trustDomain, namespace, "");
    return spec.uris().stream()
        .filter(uri -> uri.startsWith(prefix))
        .map(uri -> uri.substring(prefix.length()));
  }

  private static Stream<String> services(CertificateSpec spec) {
    Stream<String> commonName = Stream.ofNullable(spec.commonName());
    return Stream.concat(spec.dnsNames().stream(), commonName).map(NameLookup::firstLabel);
  }

  private static String firstLabel(String name) {
    int dot = name.indexOf('.');
    return (dot < 0 ? name : name.substring(0, dot)).toLowerCase(java.util.Locale.ROOT);
  }

  /** Only what can be an object's name is put into a path of the API server. */
  private static Set<String> existing(Stream<String> names, Predicate<String> exists) {
    Set<String> candidates =
        names
            .filter(name -> name.matches("[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?"))
            .collect(Collectors.toCollection(LinkedHashSet::new));
    return candidates.stream().limit(MOST_QUESTIONS).filter(exists).collect(Collectors.toSet());
  }

  private boolean accountExists(String namespace, String name) {
    return client.serviceAccounts().inNamespace(namespace).withName(name).get() != null;
  }

  private boolean serviceExists(String namespace, String name) {
    return client.services().inNamespace(namespace).withName(name).get() != null;
  }
}
