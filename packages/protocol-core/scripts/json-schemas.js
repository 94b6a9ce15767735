import { z } from 'zod';
import { classicFailureSchema, commandNames, commands, contactSchema, isClassicCommandName, launchSchema, payloadSchema, personSchema, profileEntrySchema, userSchema, workoutSchema, } from '../src/index.ts';
/** What travels under each name; the keys are the file names without `.json`. */
function allSchemas() {
    const schemas = new Map([
        ['payload', payloadSchema.describe('Claims of the partner link')],
        ['contact', contactSchema.describe('The person in focus, in the partner link')],
        ['person', personSchema.describe('The person in focus, whichever transport it came by')],
        ['profile-entry', profileEntrySchema],
        ['workout', workoutSchema.describe('One workout as getworkoutsforclient returns it')],
        ['user', userSchema.describe('One user as getlistofusers returns it')],
        ['launch', launchSchema.describe('One start of the executable, as it is handed to the running wrapper')],
        ['classic-failure', classicFailureSchema.describe('Reply to any classic command that failed')],
        ['classic-request', classicRequestSchema()],
    ]);
    for (const name of commandNames) {
        const { args, reply, summary } = commands[name];
        schemas.set(`${name}.args`, args.describe(`Arguments of ${name}. ${summary}`));
        if (typeof reply === 'object')
            schemas.set(`${name}.reply`, reply.describe(`Reply to ${name}`));
        if (reply === 'text')
            schemas.set(`${name}.reply`, z.string().describe(`Reply to ${name}: bare text, not JSON`));
    }
    return schemas;
}
/** The members of a request; which arguments belong to which method is in the schema of each command. */
function classicRequestSchema() {
    return z
        .looseObject({
        Method: z.enum(commandNames.filter(isClassicCommandName)).describe('Matched without regard to case'),
        Args: z
            .record(z.string(), z.unknown())
            .nullish()
            .describe('Arguments of the command, see <method>.args.json'),
    })
        .describe('Request of the pipe’s classic mode');
}
/**
 * Every JSON Schema (draft 2020-12) that this package publishes, of what a sender may write.
 *
 * @returns file name → text of the file
 */
export function jsonSchemaFiles() {
    const files = new Map();
    for (const [name, schema] of allSchemas()) {
        const { $schema, ...rest } = z.toJSONSchema(schema, {
            target: 'draft-2020-12',
            io: 'input',
            unrepresentable: 'any',
        });
        files.set(`${name}.json`, `${JSON.stringify({ $schema, title: name, ...rest }, null, 2)}\n`);
    }
    return files;
}
