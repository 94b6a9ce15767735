// This is the whole public surface. Withheld: the helpers by which schemas are put together, so that they can change.
// Frames, brand and errors have entries of their own besides, for processes that must not load the schemas.
export { BrandError, defaultBrand, defineBrand, pidOfPipe, pipeAddress, pipeName, unixPipePrefix, } from './brand/index.ts';
export { argsFromPerson, commandNames, commands, findCommandName, isClassicCommandName, parseCommand, personFromArgs, selectPersonArgsSchema, selectPersonReplySchema, } from './command/index.ts';
export { DateError, isCulture, machineCulture, parseDate, parseIsoDate, } from './date/index.ts';
export { classicFailureSchema, parseClassicRequest, readClassicReply, readRequestEnvelope, writeClassicFailure, writeClassicReply, writeClassicRequest, } from './envelope/index.ts';
export { ArgsError, ClosingError, CommandTimeoutError, commandErrorCodes, FrameError, isServiceLinkError, JsonError, MethodError, NotFoundError, NotSignedInError, ServiceLinkError, WebAppError, } from './errors/index.ts';
export { decodeJson, decodeText, encodeFrame, FrameDecoder, frameHeaderBytes, maxReplyFrameBytes, maxRequestFrameBytes, } from './frame/index.ts';
export { launchSchema, maxLaunchArguments, } from './launch/index.ts';
export { genderSpellings, maxProfileEntries, parseGender, personSchema, profileDataSchema, profileDateFormats, profileEntrySchema, readPersonFields, } from './person/index.ts';
export { contactSchema, payloadSchema, personFromContact, userSchema, workoutSchema, } from './record/index.ts';
export { settingsTable, } from './settings/index.ts';
export { foldNames, issuesOf, maxTextLength, optionalText, optionalWireInteger, requiredText, wireInteger, } from './text/index.ts';
export { compareVersions, formatVersion, minimumPipeVersion, parseVersion, VersionError, } from './version/index.ts';
