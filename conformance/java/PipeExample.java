// One request to the running wrapper, to be copied. Java 16 or later.
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

public class PipeExample {
    static ByteChannel openPipe(long pid) throws IOException {
        String name = "servicepipe." + pid;
        if (System.getProperty("os.name").startsWith("Windows"))
            return new RandomAccessFile("\\\\.\\pipe\\" + name, "rw").getChannel();
        String folder = System.getenv("TMPDIR");
        Path path = Path.of(folder == null || folder.isEmpty() ? "/tmp" : folder, "CoreFxPipe_" + name);
        List<Object> own = ownSocket(path);
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.connect(UnixDomainSocketAddress.of(path));
        if (!ownSocket(path).equals(own)) throw new IOException("The pipe was exchanged meanwhile.");
        return channel;
    }

    /** What tells a socket of this user from one that is put there later. */
    static List<Object> ownSocket(Path path) throws IOException {
        // "Other" than a file, a folder or a link: a socket.
        var found = Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!found.isOther() || !found.owner().getName().equals(System.getProperty("user.name")))
            throw new IOException("The pipe is not a socket of this user.");
        return List.of(found.fileKey(), found.lastModifiedTime());
    }

    /** Fills the buffer; false when the stream ended before the first byte. */
    static boolean fill(ByteChannel pipe, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            int count;
            try {
                count = pipe.read(buffer);
            } catch (IOException end) { // Windows tells the end of a pipe as an error
                count = -1;
            }
            if (count < 0 && buffer.position() == 0) return false;
            if (count < 0) throw new EOFException("The wrapper closed the connection inside its reply.");
        }
        buffer.flip();
        return true;
    }

    static String call(long pid, String json) throws Exception {
        var exchange = new FutureTask<>(() -> exchange(pid, json));
        var thread = new Thread(exchange);
        thread.setDaemon(true);
        thread.start();
        return exchange.get(35, TimeUnit.SECONDS);
    }

    static String exchange(long pid, String json) throws IOException {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        ByteBuffer frame = ByteBuffer.allocate(4 + body.length).order(ByteOrder.LITTLE_ENDIAN);
        frame.putInt(body.length).put(body).flip();
        try (ByteChannel pipe = openPipe(pid)) {
            while (frame.hasRemaining()) pipe.write(frame);
            ByteBuffer header = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN);
            if (!fill(pipe, header)) return null;
            ByteBuffer reply = ByteBuffer.allocate(header.getInt());
            if (!fill(pipe, reply)) throw new EOFException("The wrapper closed the connection inside its reply.");
            return StandardCharsets.UTF_8.decode(reply).toString();
        }
    }

    public static void main(String[] args) throws Exception {
        long pid = Long.parseLong(args[0]);
        System.out.println(call(pid, "{\"Method\":\"version\"}"));
        System.out.println(call(pid, "{\"Method\":\"selectperson\",\"Args\":"
                + "{\"customid\":\"4711\",\"firstname\":\"K\u00e5re\",\"lastname\":\"Nordmann\"}}"));
    }
}
