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

/** Who may reach the pods that it selects, and how. */
@Group(Api.GROUP)
@Version(Api.VERSION)
@Kind("TLSPolicy")
@Plural("tlspolicies")
@Singular("tlspolicy")
@ShortNames("tlsp")
@AdditionalPrinterColumn(name = "Mode", jsonPath = ".spec.mode")
@AdditionalPrinterColumn(name = "Min version", jsonPath = ".spec.minVersion")
@AdditionalPrinterColumn(name = "Ready", jsonPath = ".status.conditions[?(@.type=='Ready')].status")
@AdditionalPrinterColumn(
    name = "Reason",
    jsonPath = ".status.conditions[?(@.type=='Ready')].reason")
@AdditionalPrinterColumn(
    name = "Age",
    jsonPath = ".metadata.creationTimestamp",
    type = AdditionalPrinterColumn.Type.DATE)
public final class TlsPolicy extends CustomResource<TlsPolicySpec, ConditionsStatus>
    implements Namespaced {

  private static final long serialVersionUID = 1L;

  /** A spec is never made up: it is what the API server holds. */
  @Override
  protected TlsPolicySpec initSpec() {
    return null;
  }

  @Override
  protected ConditionsStatus initStatus() {
    return null;
  }
}
