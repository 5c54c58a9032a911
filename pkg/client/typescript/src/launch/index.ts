/** The steps of a launch, one by one: `Client.launch` of "tokenlaunch" takes them all. */
export {
  type Submission,
  type Submitting,
  submit,
  UnknownOutcomeError,
  undecided,
  uploadPicture,
} from './submit.js';
