package dev.postern.sidecar.matrix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Prints the files of several kernels as one Markdown table: {@code MatrixTable KERNEL=FILE...}.
 *
 * <p>A cell says {@code ok}, {@code FAILED}, or a number that stands for the reason why it cannot
 * exist. Exit status 0: no cell failed and none is empty.
 */
public final class MatrixTable {

  private final Set<String> columns = new LinkedHashSet<>();
  private final Map<String, Map<String, Cell>> rows = new LinkedHashMap<>();
  private final Set<String> reasons = new LinkedHashSet<>();

  private MatrixTable() {}

  public static void main(String[] arguments) throws IOException {
    MatrixTable table = new MatrixTable();
    for (String argument : arguments) {
      String[] pair = argument.split("=", 2);
      table.add(pair[0], Path.of(pair[1]));
    }
    System.out.print(table.text());
    System.exit(table.complete() ? 0 : 1);
  }

  private void add(String kernel, Path file) throws IOException {
    for (String line : Files.readAllLines(file)) {
      Cell cell = Cell.parse(line);
      String column = kernel + " " + cell.mode();
      columns.add(column);
      rows.computeIfAbsent(cell.behaviour(), name -> new LinkedHashMap<>())
          .merge(column, cell, MatrixTable::worse);
    }
  }

  private static Cell worse(Cell one, Cell other) {
    return one.outcome().worse(other.outcome()) == one.outcome() ? one : other;
  }

  private String text() {
    StringBuilder text = new StringBuilder("| behaviour |");
    columns.forEach(column -> text.append(' ').append(column).append(" |"));
    text.append("\n|---|").append("---|".repeat(columns.size())).append('\n');
    for (String behaviour : new TreeSet<>(rows.keySet())) {
      text.append("| ").append(behaviour).append(" |");
      columns.forEach(
          column -> text.append(' ').append(word(rows.get(behaviour).get(column))).append(" |"));
      text.append('\n');
    }
    int number = 0;
    for (String reason : reasons) {
      text.append("\n(%d) %s".formatted(++number, reason));
    }
    return text.append('\n').toString();
  }

  private String word(Cell cell) {
    if (cell == null) {
      return "";
    }
    return switch (cell.outcome()) {
      case HELD -> "ok";
      case FAILED -> "**FAILED**";
      case ABSENT -> {
        reasons.add(cell.reason());
        yield "(" + (reasons.stream().toList().indexOf(cell.reason()) + 1) + ")";
      }
    };
  }

  private boolean complete() {
    return !rows.isEmpty()
        && rows.values().stream().allMatch(row -> row.size() == columns.size())
        && rows.values().stream().flatMap(row -> row.values().stream()).allMatch(Cell::isAnswer);
  }
}
