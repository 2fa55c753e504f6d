export { resource } from './actions/resource.ts'
