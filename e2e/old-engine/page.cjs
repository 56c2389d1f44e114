// What a page has before the plug-in is loaded: a window, and a clock that the session moves by hand. ES5.
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

/** Everything that a script can see of the language's own objects, by path, with its kind. */
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
