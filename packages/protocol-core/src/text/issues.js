/** How the schemas of this package begin a sentence about a place; a message of the library never does. */
const ourOwn = /^(is|must|needs|are|has) /;
/**
 * Turns a schema's findings into paths and problems, without any value of the input.
 *
 * @param error what zod's `safeParse` found
 * @returns one issue a finding, in the schema's order
 */
export function issuesOf(error) {
    return error.issues.map(issue => ({
        path: issue.path.map(String).join('.'),
        problem: issue.code === 'custom' || ourOwn.test(issue.message) ? issue.message : describe(issue),
    }));
}
function describe(issue) {
    if (issue.code === 'invalid_type') {
        const article = /^[aeio]/.test(issue.expected) ? 'an' : 'a';
        return issue.message.endsWith('received undefined')
            ? 'is missing'
            : `must be ${article} ${issue.expected}`;
    }
    if (issue.code === 'invalid_value')
        return `must be one of ${issue.values.map(String).join(', ')}`;
    return 'is not acceptable';
}
