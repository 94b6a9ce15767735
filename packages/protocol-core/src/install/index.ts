export { type InstallRecord, maxInstallRecordBytes, parseInstallRecord } from './install-record.ts'
