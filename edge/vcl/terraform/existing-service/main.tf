# An existing Fastly VCL service with its own cache, shield and segmented caching, and the snippets that pace its
# clients. Copy the snippet blocks into your resource; the rest is an example of an existing service.

terraform {
  required_providers {
    fastly = {
      source  = "fastly/fastly"
      version = ">= 5.0"
    }
  }
}

variable "domain" {
  type        = string
  description = "What players ask, as video.example.com"
}

variable "origin" {
  type        = string
  description = "The host that has the content, as origin.example.com"
}

variable "shield" {
  type        = string
  description = "The POP before the origin, as fra-de-fr"
  default     = null
}

locals {
  snippets = "${path.module}/../../snippets"
}

resource "fastly_service_vcl" "video" {
  name = "video"

  domain {
    name = var.domain
  }

  backend {
    name              = "origin"
    address           = var.origin
    override_host     = var.origin
    port              = 443
    use_ssl           = true
    ssl_cert_hostname = var.origin
    ssl_sni_hostname  = var.origin
    shield            = var.shield
  }

  # Runs before your own recv snippets, which then see URLs without CMCD.
  snippet {
    name     = "dashjs-sammy recv"
    type     = "recv"
    priority = 10
    content  = file("${local.snippets}/fastly-recv.vcl")
  }

  snippet {
    name    = "dashjs-sammy miss"
    type    = "miss"
    content = file("${local.snippets}/fastly-miss-pass.vcl")
  }

  snippet {
    name    = "dashjs-sammy pass"
    type    = "pass"
    content = file("${local.snippets}/fastly-miss-pass.vcl")
  }

  # Runs after your own deliver snippets, so that the receipt is added to their headers.
  snippet {
    name     = "dashjs-sammy deliver"
    type     = "deliver"
    priority = 200
    content  = file("${local.snippets}/fastly-deliver.vcl")
  }
}
