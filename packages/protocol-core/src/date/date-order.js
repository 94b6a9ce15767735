const styles = new Map();
/** Cultures come from configuration, yet a caller may pass any text: no more than these are remembered. */
const maxStyles = 64;
const isoStyle = { order: ['year', 'month', 'day'], digits: undefined, isBuddhist: false };
/**
 * Tells how a culture writes its short date.
 *
 * @param culture BCP 47 tag; one that is not a tag counts as `und`, whose order is year, month, day
 */
export function dateStyleOf(culture) {
    let style = styles.get(culture);
    if (!style) {
        style = readStyle(culture);
        if (styles.size >= maxStyles)
            styles.clear();
        styles.set(culture, style);
    }
    return style;
}
let foundCulture;
/** The culture of this machine, as the JavaScript engine found it when it started; asking again costs nothing. */
export function machineCulture() {
    foundCulture ??= new Intl.DateTimeFormat().resolvedOptions().locale;
    return foundCulture;
}
/** Whether a text is a well-formed BCP 47 tag. */
export function isCulture(text) {
    try {
        return Intl.getCanonicalLocales(text).length === 1;
    }
    catch {
        return false;
    }
}
function readStyle(culture) {
    if (!isCulture(culture) || culture === 'und')
        return isoStyle;
    const format = new Intl.DateTimeFormat(culture, {
        dateStyle: 'short',
        calendar: 'gregory',
        timeZone: 'UTC',
    });
    const order = format
        .formatToParts(0)
        .map(part => part.type)
        .filter(type => type === 'year' || type === 'month' || type === 'day');
    return {
        order: order.length === 3 ? order : isoStyle.order,
        digits: readDigits(culture),
        isBuddhist: new Intl.DateTimeFormat(culture).resolvedOptions().calendar === 'buddhist',
    };
}
function readDigits(culture) {
    const format = new Intl.NumberFormat(culture, { useGrouping: false });
    const digits = Array.from({ length: 10 }, (_, digit) => format.format(digit));
    return digits[0] === '0' ? undefined : digits;
}
