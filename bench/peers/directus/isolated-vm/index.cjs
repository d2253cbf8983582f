'use strict'

// The native module needs a download or a compiler. A list of items does not use it.
module.exports = {}
