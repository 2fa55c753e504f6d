export {
  bodyOf,
  editableIn,
  firstState,
  type GivenLife,
  type GivenStep,
  lifeFaults,
  type Needs,
  type StepFacts,
  type Taken,
  verbOf,
  wordsIn,
  wordsOf,
} from './actions/plain.ts'
export { type Each, type Life, takeEach, walk } from './actions/walk.ts'
