import { z } from 'zod';
import { readDate } from '../date/parse-date.ts';
import { ArgsError, MethodError } from '../errors/command-error.ts';
import { foldIndexedNames, indexNames } from '../text/fold-names.ts';
import { issuesOf } from '../text/issues.ts';
import { commandNames, commands, isCommandName } from './command-table.ts';
import { personFromArgs } from './select-person.ts';
/**
 * Finds a command's name without regard to case.
 *
 * @throws {MethodError} when there is no such command; the message does not repeat what was sent
 */
export function findCommandName(method) {
    const folded = method.trim().toLowerCase();
    if (!isCommandName(folded))
        throw new MethodError(`There is no such command. Known: ${commandNames.join(', ')}.`);
    return folded;
}
/**
 * Parses the arguments of a command as they travel on the pipe. Names are matched without regard to case, arguments that
 * the command does not know are ignored, integers may be decimal strings.
 *
 * @param rawArgs the `Args` member; missing and null count as no arguments
 * @throws {ArgsError} naming each argument that is missing, ambiguous or of the wrong type
 * @example
 * ```ts
 * import { parseCommand } from '@service-link/protocol-core'
 *
 * parseCommand('openworkout', { ID: '17' }, { culture: 'nb-NO' }) // { name: 'openworkout', args: { id: 17 } }
 * ```
 */
export function parseCommand(name, rawArgs, options) {
    const args = parseTableArgs(name, rawArgs ?? {});
    if (name === 'selectperson')
        return { name, args: personFromArgs(args, options.culture) };
    if (name === 'getworkoutsforclient')
        return { name, args: checkWorkoutArgs(args, options.culture) };
    return { name, args };
}
const argsReaders = new Map();
function argsReaderOf(name) {
    let reader = argsReaders.get(name);
    if (!reader) {
        const { args } = commands[name];
        reader = { schema: z.compile(args), index: indexNames(Object.keys(args.shape)) };
        argsReaders.set(name, reader);
    }
    return reader;
}
function parseTableArgs(name, rawArgs) {
    if (typeof rawArgs !== 'object' || rawArgs === null || Array.isArray(rawArgs))
        throw new ArgsError([{ path: '', problem: 'Args must be an object' }]);
    const { schema, index } = argsReaderOf(name);
    const { known, issues } = foldIndexedNames(Object.entries(rawArgs), index);
    const parsed = schema.safeParse(known);
    if (issues.length > 0 || !parsed.success)
        throw new ArgsError([...issues, ...(parsed.success ? [] : issuesOf(parsed.error))]);
    return parsed.data;
}
function checkWorkoutArgs(args, culture) {
    const { customid, userid, from } = args;
    if (customid === undefined && userid === undefined)
        throw new ArgsError([{ path: 'customid', problem: 'is missing (customid or userid is needed)' }]);
    return from === undefined ? args : { ...args, from: parseFrom(from, culture) };
}
/** `from` is 'a parseable date': a date, or a date and time whose date counts. */
function parseFrom(from, culture) {
    const [, dateOfDateTime] = /^(\d{4}-\d{2}-\d{2})[T ]\d{2}:\d{2}/.exec(from) ?? [];
    const { date, problem } = readDate(dateOfDateTime ?? from, culture);
    if (date === undefined)
        throw new ArgsError([{ path: 'from', problem }]);
    return date;
}
