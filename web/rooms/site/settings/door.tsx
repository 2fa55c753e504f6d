// What the workflow editor shows of the settings: the link back to them.
export { SettingsTabs } from './parts/tabs.tsx'
