package dev.postern.sidecar.reload;

import dev.postern.sidecar.config.Policy;
import dev.postern.sidecar.config.PolicyFile;
import dev.postern.sidecar.files.FileRefused;
import dev.postern.sidecar.identity.Identity;
import dev.postern.sidecar.identity.IdentityFiles;
import dev.postern.sidecar.identity.Trust;
import dev.postern.sidecar.identity.TrustFile;
import java.nio.file.Path;
import java.time.InstantSource;

/**
 * Build, validate, swap: reads the files again when they changed; what is not valid leaves the old
 * in force. Used by one thread.
 */
public final class Reloader {

  private final InstantSource clock;
  private final ReloadListener listener;
  private final Watched<Identity> identity;
  private final Watched<Trust> trust;
  private final Watched<Policy> policy;

  /**
   * Reads nothing yet.
   *
   * @param runFolder holds identity/, trust/ and policy/
   */
  public Reloader(Path runFolder, InstantSource clock, ReloadListener listener) {
    this.clock = clock;
    this.listener = listener;
    IdentityFiles identityFiles = new IdentityFiles(runFolder.resolve("identity"));
    TrustFile trustFile = new TrustFile(runFolder.resolve("trust").resolve("bundle.json"));
    PolicyFile policyFile = new PolicyFile(runFolder.resolve("policy").resolve("v1.json"));
    identity = new Watched<>(identityFiles.paths(), identityFiles::load);
    trust = new Watched<>(trustFile.paths(), trustFile::load);
    policy = new Watched<>(policyFile.paths(), now -> policyFile.load());
  }

  /**
   * The first snapshot.
   *
   * @throws FileRefused names the file and the cause; the process cannot serve (status 78)
   */
  public Snapshot loadFirst() throws FileRefused {
    loadFirst(Part.IDENTITY, identity);
    loadFirst(Part.TRUST, trust);
    loadFirst(Part.POLICY, policy);
    return current();
  }

  /** The last good one. */
  public Snapshot current() {
    return new Snapshot(identity.value(), trust.value(), policy.value());
  }

  /** Looks at all files once. */
  public void poll() {
    poll(Part.TRUST, trust);
    poll(Part.IDENTITY, identity);
    poll(Part.POLICY, policy);
  }

  private void loadFirst(Part part, Watched<?> watched) throws FileRefused {
    watched.load(clock.instant()).forEach(sentence -> listener.warned(part, sentence));
  }

  private void poll(Part part, Watched<?> watched) {
    if (!watched.changed()) {
      return;
    }
    try {
      watched.load(clock.instant()).forEach(sentence -> listener.warned(part, sentence));
      listener.reloaded(part, current());
    } catch (FileRefused e) {
      if (watched.isNews(e)) {
        listener.refused(part, e);
      }
    }
  }
}
