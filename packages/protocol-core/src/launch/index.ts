export { type Launch, launchSchema, maxLaunchArguments } from './launch.ts'
