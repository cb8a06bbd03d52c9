package dev.postern.operator.issuer;

import dev.postern.crds.Issuer;
import dev.postern.operator.status.Events;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;

/** Keeps the Ready condition of Issuers. */
public final class IssuerReconciler implements Reconciler<Issuer> {

  private final Issuers issuers;
  private final IssuerStatus status;

  public IssuerReconciler(
      Issuers issuers, Events events, InstantSource clock, BooleanSupplier leading) {
    this.issuers = issuers;
    this.status = new IssuerStatus(events, clock, leading);
  }

  @Override
  public UpdateControl<Issuer> reconcile(Issuer issuer, Context<Issuer> context) {
    return status.update(issuer, new Issuer(), issuers.state(issuer));
  }
}
