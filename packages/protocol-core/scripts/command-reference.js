import { z } from 'zod';
import { commandErrorCodes, commandNames, commands, isClassicCommandName, } from '../src/index.ts';
const intro = `# Commands

Every command, generated from the command table of \`@service-link/protocol-core\`; \`npm run schemas\` writes this page.
How a request and a reply travel is in [the pipe](./pipe.md). The same table as JSON Schema (draft 2020-12) is in
\`packages/protocol-core/json-schema/\`, one file for the arguments and one for the reply of each command.

Names of arguments are matched without regard to case; two spellings of one name with different values are refused.
Arguments that a command does not know are ignored. An integer may be a JSON number or a string of decimal digits. Text
may have up to 4,096 characters; white space around it is dropped, and optional text that is then empty counts as absent.
`;
const targets = {
    wrapper: 'the wrapper itself',
    window: 'the wrapper’s window',
    page: 'the web app; somebody must be signed in',
};
/** The page `docs/reference/commands.md`. */
export function commandReferenceFile() {
    const name = 'docs/reference/commands.md';
    const overview = commandNames.map(command => [
        `[\`${command}\`](#${command})`,
        commands[command].summary,
        isClassicCommandName(command) ? 'classic and session' : 'session',
    ]);
    const text = [
        intro,
        tableOf(['command', 'what it does', 'modes of the pipe'], overview),
        ...commandNames.map(describeCommand),
        describeFailures(),
    ].join('\n');
    return { name, url: new URL(`../../../${name}`, import.meta.url), text };
}
function describeCommand(name) {
    const { summary, target, section, raisesWindow } = commands[name];
    const facts = [
        `- carried out by ${targets[target]}`,
        ...(raisesWindow ? ['- brings the window to the front'] : []),
        `- specification ${section}`,
    ];
    return `## ${name}\n\n${summary}\n\n${facts.join('\n')}\n\n${describeArguments(name)}\n${describeReply(name)}`;
}
const memberHead = ['type', 'required', 'notes'];
function toNode(schema) {
    return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
}
function describeArguments(name) {
    const node = toNode(commands[name].args);
    const rows = describeMembers(node);
    const oneOf = (node.anyOf ?? []).flatMap(({ required = [] }) => required.map(argument => `\`${argument}\``));
    const needed = oneOf.length > 0 ? `\nOne of ${oneOf.join(', ')} is needed.\n` : '';
    if (rows.length === 0)
        return 'No arguments.\n';
    const entries = node.properties?.profiledata;
    const profile = entries ? `\n${describeProfile(entries)}` : '';
    return `${tableOf(['argument', ...memberHead], rows)}${needed}${profile}`;
}
function describeProfile(node) {
    const items = node.anyOf?.find(({ items }) => items)?.items;
    return `Members of a profile-data entry; further members of the sender’s own are passed on as they are:\n\n${tableOf(['member', ...memberHead], describeMembers(items ?? {}))}`;
}
function describeMembers({ properties = {}, required = [] }) {
    return Object.entries(properties).map(([member, node]) => [
        `\`${member}\``,
        typeOf(node),
        required.includes(member) ? 'yes' : 'no',
        (node.enum?.join(' or ') ?? node.description ?? '').replaceAll('|', 'or'),
    ]);
}
/** Columns of equal width, as the formatter wants them. */
function tableOf(head, rows) {
    const widths = head.map((text, column) => Math.max(text.length, ...rows.map(row => row[column]?.length ?? 0)));
    const line = (cells) => `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`;
    const rule = widths.map(width => '-'.repeat(width));
    return `${[head, rule, ...rows].map(line).join('\n')}\n`;
}
/** The type in words; decimal strings for integers, and null for what is absent, are in the introduction. */
function typeOf(node) {
    const types = [node, ...(node.anyOf ?? [])].flatMap(({ type = [] }) => type);
    const words = new Set(types.filter(type => type !== 'null'));
    if (words.has('integer'))
        return 'integer';
    return [...words].join(' or ');
}
function describeReply(name) {
    const { reply } = commands[name];
    if (reply === 'none')
        return isClassicCommandName(name)
            ? 'Reply: none; in classic mode the connection just closes.\n'
            : 'Reply: none.\n';
    if (reply === 'text')
        return 'Reply: bare text, not JSON.\n';
    const node = toNode(reply);
    const isArray = node.items !== undefined;
    const rows = describeMembers(node.items ?? node);
    return `Reply: a JSON ${isArray ? 'array; members of each element, others may be there' : 'object'}:\n\n${tableOf(['member', ...memberHead], rows)}`;
}
const meanings = {
    ERR_FRAME: 'The length is below 1 or above the limit, or the connection ended inside a frame.',
    ERR_JSON: 'The body is not UTF-8, not JSON, or not an object.',
    ERR_METHOD: 'There is no such command, or it needs the session mode.',
    ERR_ARGS: 'Arguments are missing, ambiguous, too long or of the wrong type; the sentence names each.',
    ERR_NOT_FOUND: 'The workout or user does not exist for the signed-in user.',
    ERR_NOT_SIGNED_IN: 'Nobody signed in within the time limit. Sign in and send the command again.',
    ERR_TIMEOUT: 'The web app did not answer in time. Whether the command had an effect is not known.',
    ERR_WEB_APP: 'The web app failed, could not be reached, or answered in a shape that is not its contract.',
    ERR_CLOSING: 'The wrapper is exiting and takes no further command.',
};
function describeFailures() {
    const rows = commandErrorCodes.map(code => [`\`${code}\``, meanings[code]]);
    return `## Failures

Any command may be answered with \`{"error": "<sentence>", "code": "<code>"}\` instead:

${tableOf(['code', 'meaning'], rows)}`;
}
