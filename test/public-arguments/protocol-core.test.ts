import { testPublicFunctions } from '../support/public-arguments.ts'

await testPublicFunctions(
  'protocol-core',
  {
    defineBrand: {
      takes: {
        'options?': [
          {},
          '{ name?: text, vendor?: text, application?: text, displayName?: text, color?: text, pipePrefix?: text, xmlRoot?: text, appUrl?: text, updateUrl?: text, registryKey?: text, providers?: object, defaultProvider?, requiredPerson?, defaultEngines?, readsOldSettings? }',
        ],
      },
    },
    comparableSsn: { takes: { ssn: ['1', 'text'] } },
    normalizeIdentityNumber: { takes: { text: ['1', 'text'] } },
    compareIdentityNumbers: { takes: { a: [{ ssn: '1' }, '{ ... }'], b: [{ ssn: '1' }, '{ ... }'] } },
  },
  `areWrittenAlike argsFromPerson argumentsOf bringsToFront assertBrand assertCulture assertMeasure assertParameter claimNamesOf claimsFromPayload
  comparableName compareVersions decodeJson decodeRequest decodeText defineError defineErrorOf
  describeField docsUrlOf encodeFrame encodeFrames fieldsIn fieldSynonyms findArgument findBuiltInProvider findCommandName
  findIdProblem findNearName findTextProblem foldNames foldTwins foldTypeName folderVariable formatVersion
  growingPause hasTypographicQuotes indexNames isClassicCommandName isFieldOfOthers isKnownCulture isName isObject
  isEnd isServiceLinkError isSessionMethod isThisMachine issuesOf loginDisplay machineCulture makeIcon
  measureFrame memberNamesOf nativeCalls openRegistry openSystemLibrary opensNothing parseClassicCommand parseCommand parseDate
  parseInstallation parseIsoDate parseSessionCall parseVersion pause personFieldNames personSynonyms
  personFromContact pipeAddress pipeName readBy readClassicFailure readClassicReply readFlag readFrameMessage readInteger readIcon readIsoDate
  readPersonFields readSessionMessage readSessionResult readTypeName readWideText settingsTable
  systemProgram systemRoot toWire trimId trimText unixPipeFolder waitFor wideText withParts wirePath wrapperUserFolder
  writeClassicFailure writeClassicReply writeClassicRequest writeFrameMessage writePersonFields writeSessionEvent
  writeSessionFailure writeSessionReply writeSessionRequest`,
)
