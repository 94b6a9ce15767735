export { launchSchema, maxLaunchArguments } from './launch.ts';
