import { ServiceLinkError } from '../errors/service-link-error.ts';
/** A brand option that cannot be a name of a file, a pipe, an element or a type. */
export class BrandError extends ServiceLinkError {
    code = 'ERR_BRAND';
    /** The option that is at fault. */
    option;
    constructor(option, needs) {
        super(`Brand option ${option} needs ${needs}.`);
        this.option = option;
    }
}
const patterns = [
    {
        option: 'name',
        accepts: /^[A-Za-z][A-Za-z0-9]{0,63}$/,
        needs: 'letters and digits, a letter first, at most 64',
    },
    {
        option: 'vendor',
        accepts: /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,62}[A-Za-z0-9]$|^[A-Za-z0-9]$/,
        needs: 'a folder name of letters, digits, space, dot, underscore or hyphen',
    },
    {
        option: 'application',
        accepts: /^[A-Za-z][A-Za-z0-9._-]{0,62}[A-Za-z0-9]$/,
        needs: 'a file name of letters, digits, dot, underscore or hyphen',
    },
    {
        option: 'displayName',
        accepts: /^\P{Cc}{1,64}$/u,
        needs: 'one line of at most 64 characters',
    },
    {
        option: 'pipePrefix',
        accepts: /^[A-Za-z0-9_-]{1,32}$/,
        needs: 'at most 32 letters, digits, underscores or hyphens',
    },
    {
        option: 'xmlRoot',
        accepts: /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/,
        needs: 'an XML element name of ASCII letters, digits, underscore or hyphen',
    },
    {
        option: 'appUrl',
        accepts: /^(https?:\/\/[^\s]+|\{[a-z_]+\})$/,
        needs: 'an absolute http or https URL',
    },
    {
        option: 'updateUrl',
        accepts: /^(https?:\/\/[^\s]+|\{[a-z_]+\})$/,
        needs: 'an absolute http or https URL',
    },
];
/**
 * Derives every branded name from a few (design: brand). The default is the neutral word of the specification.
 *
 * @throws {BrandError} when a name could not be a file, pipe, element or type name
 * @example
 * ```ts
 * import { defineBrand } from '@service-link/protocol-core/brand'
 *
 * const brand = defineBrand({ name: 'Acme', vendor: 'Acme Health', appUrl: 'https://app.acme.example/' })
 * brand.executable // 'Acme.Client.WebWrapper.exe'
 * ```
 */
export function defineBrand(options = {}) {
    for (const { option, accepts, needs } of patterns) {
        const value = options[option];
        if (value !== undefined && !accepts.test(value))
            throw new BrandError(option, needs);
    }
    const name = options.name ?? 'Service';
    const vendor = options.vendor ?? name;
    const application = options.application ?? `${name}.Client.WebWrapper`;
    const assembly = `${name}.Desktop`;
    return Object.freeze({
        name,
        vendor,
        application,
        displayName: options.displayName ?? name,
        executable: `${application}.exe`,
        configFile: `${application}.exe.config`,
        pipePrefix: options.pipePrefix ?? `${name.toLowerCase()}pipe`,
        xmlRoot: options.xmlRoot ?? `${name.toLowerCase()}input`,
        registryKey: `Software\\${vendor}\\${application}`,
        providers: Object.freeze({
            arguments: `${assembly}.Arguments.Component, ${assembly}`,
            legacyXml: `${assembly}.Legacy.Component, ${assembly}`,
            namedPipe: `${assembly}.NamedPipe.Component, ${assembly}`,
            partnerLink: `${assembly}.PartnerLink.Component, ${assembly}`,
        }),
        appUrl: options.appUrl ?? '{app_url}',
        updateUrl: options.updateUrl ?? '{webwrapper_site}',
    });
}
/** The brand of the specification, with its neutral word. */
export const defaultBrand = defineBrand();
