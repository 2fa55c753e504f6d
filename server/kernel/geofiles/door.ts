export { batchesIn, featuresIn, readGeoFile } from './actions/read.ts'
