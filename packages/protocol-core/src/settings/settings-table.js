import { z } from 'zod';
import { isCulture } from '../date/date-order.ts';
const text = z.string().transform(value => value.trim());
/** .NET writes `True` and `False`. */
const flag = z
    .string()
    .transform(value => value.trim().toLowerCase())
    .pipe(z.enum(['true', 'false'], { error: 'must be True or False' }))
    .transform(value => value === 'true');
const culture = text.refine(value => value === '' || isCulture(value), {
    error: 'must be empty or a language tag such as nb-NO',
});
const typeName = text.refine(value => /^[A-Za-z_][\w.]*\s*,\s*[A-Za-z_][\w.]*$/.test(value), {
    error: 'must be a type name, "<Type>, <Assembly>"',
});
const number = text.refine(value => value === '' || /^\d{1,3}(\.\d{1,3})?$/.test(value), {
    error: 'must be empty or a number',
});
const placement = text.refine(value => value === '' || /^-?\d{1,5},-?\d{1,5},\d{1,5},\d{1,5}$/.test(value), {
    error: 'must be empty or four numbers: left,top,width,height',
});
function row(scope, defaultText, parse, summary) {
    return { scope, defaultText, parse, summary };
}
/**
 * Every setting with its scope, default and reader (specification 2.2; `UpdateUrl`, `Culture`, `WindowPlacement` and
 * `Zoom` are ours).
 *
 * @param brand gives the defaults that carry a name or an address
 */
export function settingsTable(brand) {
    return {
        BrowserEngine: row('user', 'EoWebBrowser', text, 'What draws the window: EoWebBrowser, InternetExplorer, Headless'),
        MinimizeOnExit: row('user', 'True', flag, 'Closing the window minimises it, so that the user stays signed in'),
        CheckForUpdates: row('user', 'True', flag, 'Check for updates at start and notify the user'),
        ProtocolProvider: row('global', brand.providers.legacyXml, typeName, 'Provider of a launch that names none'),
        DistributorName: row('global', '', text, 'Company that built the executable; sent to the service'),
        Debug: row('global', 'False', flag, 'Not normally changed'),
        AppUrl: row('global', brand.appUrl, text, 'Address of the web app'),
        UpdateUrl: row('global', brand.updateUrl, text, 'Site of the installers and of the update check'),
        Culture: row('global', '', culture, 'Order of day and month in dates that are not ISO 8601; empty: the machine’s'),
        WindowPlacement: row('user', '', placement, 'Window position and size: left,top,width,height'),
        Zoom: row('user', '', number, 'Zoom factor of the page'),
    };
}
