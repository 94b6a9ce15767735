// Drives the running wrapper, to be copied: Java 16 or later, and nothing else. JSON goes in and comes out as text.
// ServicePipeProgram.java calls it from a command line.
import java.io.*;
import java.net.*;
import java.nio.*;
import java.nio.channels.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.*;
import java.util.concurrent.*;

/** A connection to the wrapper of a record, for one request after the other, and for events. */
public final class ServicePipe implements AutoCloseable {
    static final int LIMIT_SECONDS = 35;
    // The names of the wrapper's maker and of the wrapper. Those of another brand have others.
    static final String VENDOR = "Service", APPLICATION = "Service.Client.WebWrapper";
    static final boolean IS_WINDOWS = File.separatorChar == '\\', IS_MAC = System.getProperty("os.name").startsWith("Mac");

    /** The wrapper did not do what it was asked: its stable code, and a sentence. */
    static final class WrapperException extends Exception {
        private static final long serialVersionUID = 1;
        WrapperException(String error) { super(text(member(error, "Code")) + ": " + text(member(error, "Message"))); }
    }

    /** The record of this desktop's wrapper, or else of one without a desktop, as JSON. */
    static String findRecord() throws IOException {
        String own = ownDesktop();
        List<String> records = readRecords();
        List<String> found = records.stream().filter(record -> text(member(record, "desktop")).equals(own)).toList();
        if (found.isEmpty())
            found = records.stream().filter(record -> own.isEmpty() || text(member(record, "desktop")).isEmpty()).toList();
        if (found.size() == 1) return found.get(0);
        throw new IOException((found.isEmpty() ? "No wrapper" : "More than one wrapper") + " runs on this desktop.");
    }

    /** The records of running wrappers. Each holds a secret: never print it. */
    static List<String> readRecords() throws IOException {
        Path folder = userFolder().resolve("run");
        List<String> records = new ArrayList<>();
        if (!Files.exists(folder)) return records;
        checkPrivate(folder);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.json")) {
            for (Path file : files) {
                checkPrivate(file);
                String record = Files.readString(file);
                // A killed wrapper leaves its record.
                if (ProcessHandle.of(Long.parseLong(member(record, "pid"))).isPresent()) records.add(record);
            }
        }
        return records;
    }

    /** The folder in which the wrapper keeps what belongs to this user. */
    static Path userFolder() {
        String given = variable("SERVICE_WRAPPER_DATA"), home = System.getProperty("user.home");
        if (!given.isEmpty()) return Path.of(given);
        String base = IS_WINDOWS ? variable("LOCALAPPDATA")
            : IS_MAC ? home + "/Library/Application Support"
            : variable("XDG_DATA_HOME").startsWith("/") ? variable("XDG_DATA_HOME") : home + "/.local/share";
        return Path.of(base, VENDOR, APPLICATION);
    }

    /** Linux and macOS: only this user can have written it. Windows protects the folders of a user itself. */
    static void checkPrivate(Path path) throws IOException {
        if (IS_WINDOWS) return;
        var found = Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        boolean isShared = found.permissions().stream().anyMatch(each -> !each.name().startsWith("OWNER"));
        if (isShared || !found.owner().getName().equals(System.getProperty("user.name")))
            throw new IOException("The record is not only for this user.");
    }

    /** Tells this desktop from the user's others; empty without one. */
    static String ownDesktop() throws IOException {
        if (IS_MAC) return "";
        if (!IS_WINDOWS) {
            String display = variable("DISPLAY").replaceFirst("(:\\d+)\\.\\d+$", "$1");
            return display.isEmpty() ? variable("WAYLAND_DISPLAY") : display;
        }
        // "java.exe","4711","Console","1","50.000 K": services are in session 0, which has no desktop.
        String filter = "PID eq " + ProcessHandle.current().pid();
        Process process = new ProcessBuilder("tasklist", "/fi", filter, "/fo", "csv", "/nh").start();
        String session = new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1).split("\",\"")[3];
        return session.equals("0") ? "" : session;
    }

    static String variable(String name) { return Objects.requireNonNullElse(System.getenv(name), ""); }

    // #region connection
    private final ByteChannel pipe;
    private final Deque<String> events = new ArrayDeque<>();
    private int id;
    /** The answer to hello, as JSON. */
    final String hello;

    /** The wrapper proves that it holds the key of its record. Nothing more is sent to anybody else. */
    ServicePipe(String record) throws Exception {
        String address = text(member(record, "address")), key = member(record, "key");
        pipe = IS_WINDOWS ? new RandomAccessFile(address, "rw").getChannel() : SocketChannel.open(UnixDomainSocketAddress.of(address));
        try {
            write("{\"ask\":" + member(key, "ask") + "}");
            if (!member(key, "answer").equals(member(withinLimit(this::read), "answer")))
                throw new IOException("This is not the wrapper of the record. Tell your administrator.");
            hello = ask("hello", "{}");
        } catch (Exception failure) {
            pipe.close();
            throw failure;
        }
    }

    @Override public void close() throws IOException { pipe.close(); }

    /**
     * The result of a command, as JSON. On Windows the wrapper's window comes to the front only if your program lets it:
     * call AllowSetForegroundWindow of user32.dll before, for example with JNA.
     */
    String ask(String method, String args) throws Exception {
        write("{\"Id\":" + ++id + ",\"Method\":" + quote(method) + ",\"Args\":" + args + "}");
        String message;
        while (member(message = withinLimit(this::read), "Event") != null) events.add(message);
        if (member(message, "Error") != null) throw new WrapperException(member(message, "Error"));
        return member(message, "Result");
    }

    /** Waits for an event that subscribe named, without a limit, as JSON: {"Event": ..., "Data": ...}. */
    String nextEvent() throws IOException { return events.isEmpty() ? read() : events.remove(); }
    // #endregion connection

    private void write(String json) throws IOException {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        ByteBuffer frame = ByteBuffer.allocate(4 + body.length).order(ByteOrder.LITTLE_ENDIAN).putInt(body.length).put(body).flip();
        while (frame.hasRemaining()) pipe.write(frame);
    }

    private String read() throws IOException {
        int length = readExactly(4).order(ByteOrder.LITTLE_ENDIAN).getInt();
        if (length < 1 || length > 16 * 1024 * 1024) throw new IOException("The reply is no frame.");
        return StandardCharsets.UTF_8.decode(readExactly(length)).toString();
    }

    private ByteBuffer readExactly(int count) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(count);
        while (buffer.hasRemaining())
            if (pipe.read(buffer) < 0) throw new EOFException("The wrapper has ended the connection.");
        return buffer.flip();
    }

    static <T> T withinLimit(Callable<T> work) throws Exception {
        var task = new FutureTask<>(work);
        var thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
        try {
            return task.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException failure) {
            throw failure.getCause() instanceof Exception cause ? cause : failure;
        } catch (TimeoutException late) {
            throw new IOException("The wrapper did not answer in time. It may have done what was asked.");
        }
    }

    /** The JSON of a member of a JSON object; null if it is missing. Use the JSON library that you have in its place. */
    static String member(String json, String name) {
        String key = "";
        for (int at = json.indexOf('{') + 1, start = at, depth = 1; at < json.length(); at++) {
            char c = json.charAt(at);
            if (c == '"') while (json.charAt(++at) != '"') at += json.charAt(at) == '\\' ? 1 : 0;
            else if (c == '{' || c == '[') depth++;
            else if (depth == 1 && c == ':') { key = json.substring(start, at).trim(); start = at + 1; }
            else if (depth == 1 && (c == ',' || c == '}')) {
                if (key.equals(quote(name))) return json.substring(start, at).trim();
                start = at + 1;
            }
            if (c == '}' || c == ']') depth--;
        }
        return null;
    }

    /** A text of JSON as it reads; null for none. */
    static String text(String json) {
        if (json == null || !json.startsWith("\"")) return json;
        return java.util.regex.Pattern.compile("\\\\(?:u(....)|(.))").matcher(json.substring(1, json.length() - 1)).replaceAll(found ->
            java.util.regex.Matcher.quoteReplacement(found.group(1) != null ? String.valueOf((char) Integer.parseInt(found.group(1), 16))
                : found.group(2).replace('n', '\n').replace('t', '\t').replace('r', '\r')));
    }

    static String quote(String text) {
        var quoted = new StringBuilder("\"");
        for (char c : text.toCharArray()) quoted.append(c < ' ' || c == '"' || c == '\\' ? String.format("\\u%04x", (int) c) : c);
        return quoted.append('"').toString();
    }
}
