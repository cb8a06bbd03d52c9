package dev.postern.sidecar.relay;

import dev.postern.sidecar.ktls.RecordPath;
import dev.postern.sidecar.tls.PeerAuthorizer;
import dev.postern.sidecar.tls.TlsContext;
import java.util.function.Supplier;

/**
 * What holds for new connections; swapped whole.
 *
 * @param contexts makes the calling worker a context of its own
 * @param admission what is taken
 * @param authorizer who may come in
 * @param wish which path is wanted
 */
public record Rules(
    Supplier<TlsContext> contexts,
    Admission admission,
    PeerAuthorizer authorizer,
    RecordPath.Wish wish) {}
