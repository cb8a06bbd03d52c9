package dev.postern.crds;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;

/** Signs certificates for every namespace, by the rules of the signer. */
@Group(Api.GROUP)
@Version(Api.VERSION)
@Kind("ClusterIssuer")
@Plural("clusterissuers")
@Singular("clusterissuer")
@ShortNames("pclusterissuer")
@AdditionalPrinterColumn(name = "Ready", jsonPath = ".status.conditions[?(@.type=='Ready')].status")
@AdditionalPrinterColumn(
    name = "Reason",
    jsonPath = ".status.conditions[?(@.type=='Ready')].reason")
@AdditionalPrinterColumn(
    name = "Age",
    jsonPath = ".metadata.creationTimestamp",
    type = AdditionalPrinterColumn.Type.DATE)
public final class ClusterIssuer extends CustomResource<ClusterIssuerSpec, ConditionsStatus> {

  private static final long serialVersionUID = 1L;

  /** A spec is never made up: it is what the API server holds. */
  @Override
  protected ClusterIssuerSpec initSpec() {
    return null;
  }

  @Override
  protected ConditionsStatus initStatus() {
    return null;
  }
}
