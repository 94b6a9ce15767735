// Signs a payload of the partner link, to be copied: Java 11 or later, and nothing else.
// java SignPayload.java <private key, PEM> <kid> <address of the receiver>     claims as JSON on standard input, the token on standard output
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.UUID;

public final class SignPayload {
    private SignPayload() {}

    /** Reads a key that begins with BEGIN PRIVATE KEY (PKCS #8). */
    static PrivateKey readKey(String pem) throws GeneralSecurityException {
        byte[] der = Base64.getMimeDecoder().decode(pem.replaceAll("-----[^-]+-----", ""));
        return KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(der));
    }

    /**
     * Signs at the click: the token lives a minute and works once.
     *
     * @param claims a JSON object of organizationId, employeeId, contact and others, without aud, iat, exp and jti
     */
    static String sign(String claims, PrivateKey key, String kid, String audience) throws GeneralSecurityException {
        long now = Instant.now().getEpochSecond();
        String header = String.format("{\"alg\":\"RS256\",\"typ\":\"JWT\",\"kid\":\"%s\"}", kid);
        String own = String.format("{\"aud\":\"%s\",\"iat\":%d,\"exp\":%d,\"jti\":\"%s\",", audience, now, now + 60, UUID.randomUUID());
        String input = encode(header.getBytes(UTF_8)) + "." + encode((own + claims.strip().substring(1)).getBytes(UTF_8));
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(key);
        signature.update(input.getBytes(UTF_8));
        return input + "." + encode(signature.sign());
    }

    private static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    public static void main(String[] args) throws Exception {
        if (args.length != 3) {
            System.err.println("java SignPayload.java <private key> <kid> <address of the receiver> < claims.json");
            System.exit(2);
        }
        String claims = new String(System.in.readAllBytes(), UTF_8);
        System.out.println(sign(claims, readKey(Files.readString(Path.of(args[0]))), args[1], args[2]));
    }
}
