package dev.postern.operator.issuer;

import dev.postern.crds.ClusterIssuer;
import dev.postern.operator.status.Events;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;

/** Keeps the Ready condition of ClusterIssuers. */
public final class ClusterIssuerReconciler implements Reconciler<ClusterIssuer> {

  private final Issuers issuers;
  private final IssuerStatus status;

  public ClusterIssuerReconciler(
      Issuers issuers, Events events, InstantSource clock, BooleanSupplier leading) {
    this.issuers = issuers;
    this.status = new IssuerStatus(events, clock, leading);
  }

  @Override
  public UpdateControl<ClusterIssuer> reconcile(
      ClusterIssuer issuer, Context<ClusterIssuer> context) {
    return status.update(issuer, new ClusterIssuer(), issuers.state(issuer));
  }
}
