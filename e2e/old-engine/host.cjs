// node host.cjs PLUGIN: runs session.cjs with the built plug-in in a context that has only the language and what a
// television's page offers, and prints the result as JSON. Written in ES5, because Node 0.12 runs it too.
'use strict';
var fs = require('fs');
var path = require('path');
var vm = require('vm');

function storageOf() {
  var items = {};
  return {
    getItem: function (key) {
      return key in items ? items[key] : null;
    },
    setItem: function (key, value) {
      items[key] = String(value);
    },
    removeItem: function (key) {
      delete items[key];
    },
  };
}

var errors = [];
var context = vm.createContext({
  setTimeout: setTimeout,
  setInterval: setInterval,
  clearInterval: clearInterval,
  localStorage: storageOf(),
  // Old televisions lack these two; the build for today's browsers may use them.
  structuredClone: typeof structuredClone === 'function' ? structuredClone : undefined,
  queueMicrotask: typeof queueMicrotask === 'function' ? queueMicrotask : undefined,
  console: {
    error: function (error) {
      errors.push(String(error));
    },
  },
});
function load(file) {
  return vm.runInContext(fs.readFileSync(file, 'utf8'), context, { filename: file });
}

load(path.join(__dirname, 'page.cjs'));
load(process.argv[2]);
vm.runInContext('globalsAfter = ownProperties();', context);
load(path.join(__dirname, 'session.cjs'));
context.runSession(function (result) {
  console.log(JSON.stringify({ engine: process.versions.v8, errors: errors, session: result }));
});
