package dev.postern.crds;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;

/** An X.509 leaf that the operator keeps in a Secret; field names as in cert-manager. */
@Group(Api.GROUP)
@Version(Api.VERSION)
@Kind("Certificate")
@Plural("certificates")
@Singular("certificate")
@ShortNames("pcert")
@AdditionalPrinterColumn(name = "Ready", jsonPath = ".status.conditions[?(@.type=='Ready')].status")
@AdditionalPrinterColumn(
    name = "Reason",
    jsonPath = ".status.conditions[?(@.type=='Ready')].reason")
@AdditionalPrinterColumn(name = "Secret", jsonPath = ".spec.secretName")
@AdditionalPrinterColumn(name = "Expires", jsonPath = ".status.notAfter")
@AdditionalPrinterColumn(
    name = "Age",
    jsonPath = ".metadata.creationTimestamp",
    type = AdditionalPrinterColumn.Type.DATE)
public final class Certificate extends CustomResource<CertificateSpec, CertificateStatus>
    implements Namespaced {

  private static final long serialVersionUID = 1L;

  /** A spec is never made up: it is what the API server holds. */
  @Override
  protected CertificateSpec initSpec() {
    return null;
  }

  @Override
  protected CertificateStatus initStatus() {
    return null;
  }
}
