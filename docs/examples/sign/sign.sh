#!/bin/sh
# sign.sh <private key> <kid> <address of the receiver> <claims as JSON members>
base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }
now=$(date +%s)
header=$(printf '{"alg":"RS256","typ":"JWT","kid":"%s"}' "$2" | base64url)
claims=$(printf '{"aud":"%s","iat":%s,"exp":%s,"jti":"%s",%s}' "$3" "$now" "$((now + 60))" "$(openssl rand -hex 16)" "$4" | base64url)
signature=$(printf '%s.%s' "$header" "$claims" | openssl dgst -sha256 -sign "$1" -binary | base64url)
printf '%s.%s.%s' "$header" "$claims" "$signature"
