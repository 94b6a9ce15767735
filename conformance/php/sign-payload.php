<?php
// Signs a payload of the partner link, to be copied: PHP 8.1 or later with its extension openssl.
// sign-payload.php <private key, PEM> <kid> <address of the receiver>     claims as JSON on standard input, the token on standard output

function base64url(string $bytes): string
{
    return rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
}

/** Signs at the click: the token lives a minute and works once. */
function signPayload(array $claims, string $pem, string $kid, string $audience): string
{
    if (!is_array($claims['contact'] ?? null) && !isset($claims['end'])) {
        throw new InvalidArgumentException('The claims name no contact.');
    }
    $now = time();
    $own = ['aud' => $audience, 'iat' => $now, 'exp' => $now + 60, 'jti' => bin2hex(random_bytes(16))];
    $header = ['alg' => 'RS256', 'typ' => 'JWT', 'kid' => $kid];
    $parts = array_map(fn($part) => base64url(json_encode($part, JSON_THROW_ON_ERROR)), [$header, $own + $claims]);
    $input = implode('.', $parts);
    if (!@openssl_sign($input, $signature, $pem, OPENSSL_ALGO_SHA256)) {
        throw new RuntimeException('The private key cannot be used.');
    }
    return "$input." . base64url($signature);
}

if (realpath($argv[0] ?? '') === __FILE__) {
    if ($argc !== 4) {
        fwrite(STDERR, "sign-payload.php <private key> <kid> <address of the receiver> < claims.json\n");
        exit(2);
    }
    $claims = json_decode(stream_get_contents(STDIN), true, flags: JSON_THROW_ON_ERROR);
    echo signPayload($claims, file_get_contents($argv[1]), $argv[2], $argv[3]), "\n";
}
