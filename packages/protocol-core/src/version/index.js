export { compareVersions, formatVersion, minimumPipeVersion, parseVersion, VersionError, } from './four-part-version.ts';
