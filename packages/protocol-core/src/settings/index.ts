export {
  type SettingDefinition,
  type SettingName,
  type SettingScope,
  type Settings,
  settingsTable,
  type UserSettingName,
} from './settings-table.ts'
