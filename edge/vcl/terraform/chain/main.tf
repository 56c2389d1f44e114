# The policy as a Compute service, and the VCL service in front of it that paces clients. First build the package:
#   fastly compute build -C edge/compute

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

variable "policy_domain" {
  type        = string
  description = "The Compute service's own domain, as NAME.edgecompute.app"
}

variable "origin" {
  type        = string
  description = "The host that has the content, as origin.example.com"
}

variable "package" {
  type        = string
  description = "What fastly compute build wrote"
  default     = "../../../compute/pkg/dashjs-sammy.tar.gz"
}

resource "fastly_configstore" "sammy" {
  name = "sammy"
}

# These are only initial values. Settings such as the kill switch are changed manually while the service runs.
resource "fastly_configstore_entries" "sammy" {
  store_id       = fastly_configstore.sammy.id
  manage_entries = false
  entries = {
    origin = "https://${var.origin}"
    # The minimum of client.socket.pace: 128 KB/s = 128 * 1024 * 8 / 1000 kbit/s, rounded up.
    floor_kbps = "1049"
    pacing     = "on"
  }
}

data "fastly_package_hash" "policy" {
  filename = var.package
}

resource "fastly_service_compute" "policy" {
  name = "sammy-policy"

  domain {
    name = var.policy_domain
  }

  backend {
    name              = "origin"
    address           = var.origin
    override_host     = var.origin
    port              = 443
    use_ssl           = true
    ssl_cert_hostname = var.origin
    ssl_sni_hostname  = var.origin
  }

  package {
    filename         = var.package
    source_code_hash = data.fastly_package_hash.policy.hash
  }

  resource_link {
    name        = "sammy"
    resource_id = fastly_configstore.sammy.id
  }
}

resource "fastly_service_vcl" "front" {
  name = "sammy-front"

  domain {
    name = var.domain
  }

  backend {
    name                  = "policy"
    address               = var.policy_domain
    override_host         = var.policy_domain
    port                  = 443
    use_ssl               = true
    ssl_cert_hostname     = var.policy_domain
    ssl_sni_hostname      = var.policy_domain
    first_byte_timeout    = 15000
    between_bytes_timeout = 15000
    healthcheck           = "policy"
  }

  # Without this check, a policy that accepts connections and sends nothing would delay each request by 15 s. The policy
  # answers a preflight without its origin.
  healthcheck {
    name              = "policy"
    host              = var.policy_domain
    method            = "OPTIONS"
    path              = "/"
    expected_response = 204
    check_interval    = 5000
    timeout           = 4000
    window            = 3
    threshold         = 2
    initial           = 3
  }

  # Used only while the policy is unreachable.
  backend {
    name              = "origin"
    address           = var.origin
    override_host     = var.origin
    port              = 443
    use_ssl           = true
    ssl_cert_hostname = var.origin
    ssl_sni_hostname  = var.origin
  }

  vcl {
    name    = "main"
    main    = true
    content = file("${path.module}/../../fastly.vcl")
  }
}
