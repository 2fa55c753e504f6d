export type { GivenResource, Hooks, Resource } from './actions/given.ts'
export { resource } from './actions/resource.ts'
