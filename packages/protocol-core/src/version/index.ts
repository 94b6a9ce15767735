export {
  compareVersions,
  type FourPartVersion,
  formatVersion,
  minimumPipeVersion,
  parseVersion,
  VersionError,
} from './four-part-version.ts'
