// Opens the service in the user's browser, by a private page that posts the token. Java 11 or later.
import java.awt.Desktop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

public final class ServicePage {
    private ServicePage() {}

    /**
     * Opens the page, and removes it after two minutes: the token's minute and the receiver's tolerance. Count {@code ending}
     * down when your application ends sooner, and wait for this method.
     */
    public static void open(String receiver, String token, CountDownLatch ending) throws IOException, InterruptedException {
        Path page = write(receiver, token);
        try {
            Desktop.getDesktop().browse(page.toUri());
            ending.await(2, TimeUnit.MINUTES);
        } finally {
            remove(page);
        }
    }

    /** The folder is for this user alone. Browsers packed as snaps read the home folder only. */
    static Path write(String receiver, String token) throws IOException {
        Path folder = System.getProperty("os.name").equals("Linux")
            ? Files.createTempDirectory(Path.of(System.getProperty("user.home")), "service-")
            : Files.createTempDirectory("service-");
        return Files.writeString(folder.resolve("open.html"),
            "<!doctype html><meta charset=\"utf-8\"><title>One moment</title>"
                + "<form method=\"post\" action=\"" + escape(receiver) + "\">"
                + "<input type=\"hidden\" name=\"payload\" value=\"" + escape(token) + "\">"
                + "<button>Open the service</button></form><script>document.forms[0].submit()</script>");
    }

    static void remove(Path page) throws IOException {
        Files.delete(page);
        Files.delete(page.getParent());
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("\"", "&quot;").replace("<", "&lt;");
    }
}
