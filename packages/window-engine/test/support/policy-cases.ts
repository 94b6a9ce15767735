/** Address that {@link policyCases} are for, but for its port. */
export const policyCaseUrl = 'http://app.localhost/start?a=1'

/** Policies, and the one of them that keeps a browser from the address; none if it shows it. */
export const policyCases: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
  [{ URLBlocklist: ['app.localhost/start?x=1'] }, ''],
  [{ URLBlocklist: ['app.localhost/start?a=1'] }, 'URLBlocklist'],
  [{ URLBlocklist: ['localhost/?a=*'] }, 'URLBlocklist'],
  [{ URLBlocklist: ['app.localhost:*/'] }, ''],
  [{ URLBlocklist: ['*.localhost'] }, ''],
  [{ URLBlocklist: ['[*.]localhost'] }, ''],
  [{ URLBlocklist: ['APP.localhost.'] }, 'URLBlocklist'],
  [{ URLBlocklist: ['http:*'] }, 'URLBlocklist'],
  [{ URLBlocklist: ['app.localhost'], URLAllowlist: ['app.localhost/?a=1'] }, ''],
  [{ DefaultJavaScriptSetting: 2, JavaScriptAllowedForUrls: ['localhost'] }, 'DefaultJavaScriptSetting'],
  [{ DefaultJavaScriptSetting: 2, JavaScriptAllowedForUrls: ['[*.]localhost'] }, ''],
  [{ DefaultJavaScriptSetting: 2, JavaScriptAllowedForUrls: ['http://*'] }, ''],
  [{ JavaScriptBlockedForUrls: ['localhost'] }, ''],
  [{ JavaScriptBlockedForUrls: ['*'] }, 'JavaScriptBlockedForUrls'],
  [{ JavaScriptBlockedForUrls: ['[*.]app.localhost'] }, 'JavaScriptBlockedForUrls'],
  [{ JavaScriptBlockedForUrls: ['APP.localhost'] }, 'JavaScriptBlockedForUrls'],
  [{ JavaScriptBlockedForUrls: ['app.localhost:*'] }, 'JavaScriptBlockedForUrls'],
  [{ JavaScriptBlockedForUrls: ['app.localhost:9'] }, ''],
  [{ JavaScriptBlockedForUrls: ['https://app.localhost'] }, ''],
  [{ JavaScriptBlockedForUrls: ['http://app.localhost/other'] }, 'JavaScriptBlockedForUrls'],
  [{ JavaScriptBlockedForUrls: ['*.localhost'] }, ''],
  [{ JavaScriptBlockedForUrls: ['[*.]localhost'], JavaScriptAllowedForUrls: ['app.localhost'] }, ''],
  [
    { JavaScriptBlockedForUrls: ['app.localhost'], JavaScriptAllowedForUrls: ['[*.]localhost'] },
    'JavaScriptBlockedForUrls',
  ],
  [{ JavaScriptBlockedForUrls: ['app.localhost'], JavaScriptAllowedForUrls: ['http://app.localhost'] }, ''],
  [
    { JavaScriptBlockedForUrls: ['app.localhost'], JavaScriptAllowedForUrls: ['app.localhost'] },
    'JavaScriptBlockedForUrls',
  ],
  [{ CookiesBlockedForUrls: ['*'], CookiesAllowedForUrls: ['app.localhost'] }, ''],
  [{ CookiesBlockedForUrls: ['*'], CookiesSessionOnlyForUrls: ['[*.]localhost'] }, ''],
  [{ CookiesBlockedForUrls: ['app.localhost'], CookiesSessionOnlyForUrls: ['app.localhost'] }, ''],
  [
    { CookiesBlockedForUrls: ['app.localhost'], CookiesAllowedForUrls: ['app.localhost'] },
    'CookiesBlockedForUrls',
  ],
]
