// What the workflow editor shows of the settings: the way back among them.
export { SettingsTabs } from './parts/tabs.tsx'
