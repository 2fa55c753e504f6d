export { type GivenResource, type Hooks, type Needs, type Resource, resource } from './actions.ts'
