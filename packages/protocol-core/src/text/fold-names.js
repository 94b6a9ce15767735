/**
 * Matches names without regard to case (design: person): the specification itself spells `dateofbirth` and
 * `dateOfBirth`. Two spellings of one name are accepted when their values are equal and refused as ambiguous otherwise.
 *
 * @param entries names as sent, with their values
 * @param names the known names in their canonical spelling
 * @example
 * ```ts
 * import { foldNames } from '@service-link/protocol-core'
 *
 * foldNames([['DateOfBirth', '1980-04-03']], ['dateofbirth']).known // { dateofbirth: '1980-04-03' }
 * ```
 */
export function foldNames(entries, names) {
    return foldIndexedNames(entries, indexNames(names));
}
/** Prepares names for {@link foldIndexedNames}. */
export function indexNames(names) {
    return new Map(names.map(name => [name.toLowerCase(), name]));
}
/** Like {@link foldNames}, with names that were prepared once. */
export function foldIndexedNames(entries, index) {
    // Only names of the index become members, so that none can be one that objects treat in a special way.
    const known = {};
    const unknown = [];
    const ambiguous = new Set();
    for (const [sent, value] of entries) {
        const name = index.get(sent) ?? index.get(sent.toLowerCase());
        if (name === undefined)
            unknown.push(sent);
        else if (!Object.hasOwn(known, name))
            known[name] = value;
        else if (!isSame(known[name], value))
            ambiguous.add(name);
    }
    return {
        known,
        unknown,
        issues: [...ambiguous].map(path => ({ path, problem: 'is given twice with different values' })),
    };
}
function isSame(a, b) {
    return a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b));
}
