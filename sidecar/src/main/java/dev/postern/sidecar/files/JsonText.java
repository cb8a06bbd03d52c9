package dev.postern.sidecar.files;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A JSON file, token by token; every refusal names the file and the field. */
public final class JsonText implements AutoCloseable {

  private static final int MAX_DEPTH = 8;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
          .build();

  private final Path file;
  private final JsonParser parser;
  private final List<String> warnings = new ArrayList<>();

  private JsonText(Path file, JsonParser parser) {
    this.file = file;
    this.parser = parser;
  }

  /** Reads one value of a JSON text. */
  @FunctionalInterface
  public interface Reader<T> {
    T read(JsonText json) throws FileRefused, IOException;
  }

  /** Parses a whole file by a reader that starts at the first token. */
  public static <T> Loaded<T> parse(Path file, byte[] text, Reader<T> reader) throws FileRefused {
    try (JsonText json = new JsonText(file, FACTORY.createParser(text))) {
      json.next();
      T value = reader.read(json);
      if (json.next() != null) {
        throw json.refuse("there is text after the end");
      }
      return new Loaded<>(value, json.warnings);
    } catch (JsonProcessingException e) {
      throw new FileRefused(file, "is not JSON: " + position(e) + e.getOriginalMessage());
    } catch (IOException e) {
      throw new FileRefused(file, "cannot be read: " + e.getMessage());
    }
  }

  private static String position(JsonProcessingException e) {
    return e.getLocation() == null
        ? ""
        : "line %d column %d: "
            .formatted(e.getLocation().getLineNr(), e.getLocation().getColumnNr());
  }

  public JsonToken next() throws IOException {
    return parser.nextToken();
  }

  public JsonToken token() {
    return parser.currentToken();
  }

  /** The name of the field that the parser stands at. */
  public String name() throws IOException {
    return parser.currentName();
  }

  /** Demands a token of the value at this place. */
  public void expect(JsonToken wanted, String field, String words) throws FileRefused {
    if (token() != wanted) {
      throw refuse("%s must be %s".formatted(field, words));
    }
  }

  /** The string at this place. */
  public String string(String field) throws FileRefused, IOException {
    expect(JsonToken.VALUE_STRING, field, "a string");
    return parser.getText();
  }

  /** The whole number at this place, within bounds that belong to the range. */
  public long integer(String field, long least, long most) throws FileRefused, IOException {
    expect(JsonToken.VALUE_NUMBER_INT, field, "a whole number");
    boolean huge = parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER;
    if (huge || parser.getLongValue() < least || parser.getLongValue() > most) {
      throw refuse("%s is %s, allowed: %d to %d".formatted(field, parser.getText(), least, most));
    }
    return parser.getLongValue();
  }

  /** The boolean at this place. */
  public boolean bool(String field) throws FileRefused, IOException {
    if (token() != JsonToken.VALUE_TRUE && token() != JsonToken.VALUE_FALSE) {
      throw refuse(field + " must be true or false");
    }
    return parser.getBooleanValue();
  }

  /** Leaves a value out that this version does not know, with a warning. */
  public void skipUnknown(String field) throws IOException {
    warnings.add("%s: %s is unknown to this version and ignored".formatted(file, field));
    parser.skipChildren();
  }

  public void warn(String sentence) {
    warnings.add(file + ": " + sentence);
  }

  public FileRefused refuse(String why) {
    return new FileRefused(file, why);
  }

  @Override
  public void close() throws IOException {
    parser.close();
  }
}
