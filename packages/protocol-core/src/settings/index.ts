export {
  type SettingDefinition,
  type SettingName,
  type SettingScope,
  type Settings,
  settingsTable,
} from './settings-table.ts'
