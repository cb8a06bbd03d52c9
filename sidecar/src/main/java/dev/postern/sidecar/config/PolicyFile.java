package dev.postern.sidecar.config;

import com.fasterxml.jackson.core.JsonToken;
import dev.postern.sidecar.files.BoundedFile;
import dev.postern.sidecar.files.FileRefused;
import dev.postern.sidecar.files.JsonText;
import dev.postern.sidecar.files.Loaded;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The file v1.json (schema in the crds module). A field that this version does not know is left out
 * with a warning, a value that it does not know is refused; so a newer operator's file is taken as
 * long as it asks for nothing new.
 */
public final class PolicyFile {

  private static final int MAX_BYTES = 1024 * 1024;

  private final Path file;

  public PolicyFile(Path file) {
    this.file = file;
  }

  /** What to watch. */
  public List<Path> paths() {
    return List.of(file);
  }

  /** Reads and validates it. */
  public Loaded<Policy> load() throws FileRefused {
    return JsonText.parse(file, BoundedFile.read(file, MAX_BYTES), PolicyFile::read);
  }

  private static Policy read(JsonText json) throws FileRefused, IOException {
    json.expect(JsonToken.START_OBJECT, "the file", "a JSON object");
    PolicyFields fields = new PolicyFields(json);
    while (json.next() != JsonToken.END_OBJECT) {
      String name = json.name();
      json.next();
      fields.read(name);
    }
    return fields.toPolicy();
  }
}
