package inflate

// Adler is the checksum, for the tests.
var Adler = adler
