// Sets up the page before the plug-in is loaded: a window, and a clock that the session sets itself. ES5.
/* exported self, globalsBefore, globalsAfter, performance, clock_ms */
var self = this;
var clock_ms = 1e12;
Date.now = function () {
  return clock_ms;
};
var performance = {
  now: function () {
    return clock_ms - 1e12;
  },
  getEntriesByType: function () {
    return [];
  },
};

/** Returns the type of every property of the global object and of the language's own objects, by path. */
function ownProperties() {
  var seen = {};
  var look = function (object, at) {
    Object.getOwnPropertyNames(object).forEach(function (name) {
      seen[at + name] = typeof Object.getOwnPropertyDescriptor(object, name).value;
    });
  };
  look(self, '');
  [
    'Array',
    'Function',
    'Map',
    'Number',
    'Object',
    'Promise',
    'RegExp',
    'Set',
    'String',
    'Symbol',
    'WeakMap',
  ].forEach(function (name) {
    look(self[name], name + '.');
    look(self[name].prototype, name + '.prototype.');
  });
  ['JSON', 'Math'].forEach(function (name) {
    look(self[name], name + '.');
  });
  return seen;
}
var globalsBefore = {};
var globalsAfter = {};
globalsBefore = ownProperties();
