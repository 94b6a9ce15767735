export { settingsTable, } from './settings-table.ts';
